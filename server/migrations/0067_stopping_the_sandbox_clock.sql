-- Whoever moves the sandbox clock can be asked to stop it where it is, from any process.
ALTER TABLE sandbox_clock ADD COLUMN stop_asked boolean NOT NULL DEFAULT false;
