import { error, type LogEvent, warn } from './log-event.ts';

/** Events of the log about the engine: what it runs, the database under it and its clock. */
export const ENGINE_LOG_EVENTS = {
  'engine.process_ended': warn(
    'Another engine process has ended; starting it again',
    'Nothing for once: the others do its work. `code` or `signal` says how it ended, and its own lines before this one why; if it goes on, look for memory that runs out',
  ),
  'engine.stage_failed': error(
    'A stage failed; the engine retries it',
    'Read `err`; mostly the database. The engine retries every second',
  ),
  'engine.look_failed': error(
    'Could not look up what is due; each stage looks for itself',
    'Read `err`; mostly the database',
  ),
  'engine.heartbeat_failed': error(
    'Could not record that this process is at work; trying again in three seconds',
    'Read `err`; without heartbeats others give back what this process claims',
  ),
  'engine.claims_given_back': warn(
    'A process is gone; what it had claimed is done by the others now',
    'Find out why it ended; its own log says so',
  ),
  'engine.database_lost': error(
    'The database does not answer; the engine claims nothing until it does',
    'Read `err`. Nothing is lost: the line `engine.database_back` says when it goes on',
  ),
  'engine.database_back': warn(
    'The database answers again; what was claimed is done now',
    'Nothing: `seconds` is how long it was away',
  ),
  'engine.clock_skewed': error(
    "This machine's clock is not the database's",
    'Set the clock (NTP). Beyond 30 seconds this process claims nothing: `claims` says whether it does',
  ),
  'engine.clock_right': warn("This machine's clock is right again", 'Nothing'),
} as const satisfies Record<string, LogEvent>;
