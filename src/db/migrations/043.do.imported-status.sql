-- The status that the file of an item had at its last import: what it says since then is a change of the file.
alter table plan_items add column imported_status text;
