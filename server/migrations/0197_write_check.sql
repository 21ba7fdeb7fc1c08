-- The row that `/health` writes, so that a process whose database cannot be written says so.
CREATE TABLE write_check (
  only_row    boolean PRIMARY KEY DEFAULT true CONSTRAINT write_check_one_row CHECK (only_row),
  written_at  timestamptz NOT NULL
);
