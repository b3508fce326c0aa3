-- to_char is stable. A function that calls it and says that it is immutable is called for each value; one that says the same is part of the
-- statement's own expression.
alter function rfc3339(timestamptz) stable;
