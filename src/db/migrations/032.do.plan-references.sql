-- A plan that is replaced or deleted goes group by group and item by item, and each looks for what refers to it: by these, in place of reading all
-- dependencies of the plan for each of its items.
create index plan_dependencies_item on plan_dependencies (exploration_id, item_id);
create index plan_dependencies_depends_on on plan_dependencies (exploration_id, depends_on);
create index plan_items_group on plan_items (exploration_id, group_id);
