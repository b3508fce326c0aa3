-- What an index of words puts aside while much is written is read whole by each question, until it is put in its place; a database
-- without a vacuum of its own never does that.
create function tidy_search_words () returns void language plpgsql security definer set search_path from current as $$
begin
  perform take_search_census();
  perform gin_clean_pending_list('search_documents_words');
  perform gin_clean_pending_list('explorations_workspace_title');
end $$;
revoke all on function tidy_search_words from public;
