-- Long texts are kept as they are: to compress them takes longer than anything else about writing them, and each read has to undo it.
alter table requirement_packages alter column markdown set storage external;
alter table explorations alter column summaries set storage external, alter column questions set storage external;
alter table search_documents alter column document set storage external;
