-- A page of keys or of tokens is found without passing over the connections that were made since.
create index credentials_kind on credentials (kind, created_at desc, id desc);
