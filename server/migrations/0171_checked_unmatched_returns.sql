-- Safe beside the previous version: its rows obeyed stricter constraints.
ALTER TABLE unallocated_items VALIDATE CONSTRAINT unallocated_items_known_reason;
ALTER TABLE unallocated_items VALIDATE CONSTRAINT unallocated_items_known_status;
ALTER TABLE transfers VALIDATE CONSTRAINT transfers_known_kind;
