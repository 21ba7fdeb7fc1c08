-- When a paused schedule resumes automatically.
ALTER TABLE schedules ADD COLUMN resume_at timestamptz;
ALTER TABLE schedules ADD CONSTRAINT schedules_resume_when_paused CHECK (resume_at IS NULL OR status = 'paused');
CREATE INDEX schedules_to_resume ON schedules (resume_at) WHERE resume_at IS NOT NULL;
