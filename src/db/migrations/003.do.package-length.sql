-- The length of a package as its readers count it (UTF-16 code units), measured once when it is written: an exploration lists
-- its packages with their lengths, and would have to read every text to tell.
alter table requirement_packages add column total_chars integer not null
  generated always as (char_length(markdown) + regexp_count(markdown, '[\U00010000-\U0010FFFF]')) stored;
