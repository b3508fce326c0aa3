-- Leases that end with a right are found by their ids.
create unique index leases_id on leases (id);
