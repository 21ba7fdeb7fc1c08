/** The areas of the tz database. Its other names are of times and not of places, or kept for old programs. */
const AREA_NAME =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z0-9_/+-]+$/i;

const LONDON = 'write Europe/London';
const GREENWICH =
  'has no summer time: write Europe/London for British time, or UTC for the same time all year';

/** Abbreviations that people write, and what to write instead: one abbreviation is the time of several places. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  BST: `is no time zone: British Summer Time is part of Europe/London, ${LONDON}`,
  GB: `is an old name: ${LONDON}`,
  'GB-EIRE': `is an old name: ${LONDON}`,
  GMT: `is no time zone: Greenwich Mean Time ${GREENWICH}`,
  GREENWICH: `is no time zone: Greenwich Mean Time ${GREENWICH}`,
  ZULU: 'is an old name: write UTC',
  UCT: 'is an old name: write UTC',
  UNIVERSAL: 'is an old name: write UTC',
  Z: 'is no time zone: write UTC',
  EIRE: 'is an old name: write Europe/Dublin',
  IST: 'is the time of Ireland, India and Israel: write Europe/Dublin, Asia/Kolkata or Asia/Jerusalem',
  WET: 'is the time of several countries: write one of its cities, such as Europe/Lisbon',
  WEST: 'is the time of several countries: write one of its cities, such as Europe/Lisbon',
  CET: 'is the time of several countries: write one of its cities, such as Europe/Paris',
  CEST: 'is the time of several countries: write one of its cities, such as Europe/Paris',
  MET: 'is the time of several countries: write one of its cities, such as Europe/Paris',
  EET: 'is the time of several countries: write one of its cities, such as Europe/Athens',
  EEST: 'is the time of several countries: write one of its cities, such as Europe/Athens',
  MSK: 'is no time zone: write Europe/Moscow',
  EST: 'is no time zone: write one of its cities, such as America/New_York',
  EDT: 'is no time zone: write one of its cities, such as America/New_York',
  CST: 'is the time of America and China: write a city, such as America/Chicago or Asia/Shanghai',
  CDT: 'is no time zone: write one of its cities, such as America/Chicago',
  MST: 'is no time zone: write one of its cities, such as America/Denver',
  MDT: 'is no time zone: write one of its cities, such as America/Denver',
  PST: 'is no time zone: write one of its cities, such as America/Los_Angeles',
  PDT: 'is no time zone: write one of its cities, such as America/Los_Angeles',
  HST: 'is no time zone: write Pacific/Honolulu',
  JST: 'is no time zone: write Asia/Tokyo',
  AEST: 'is no time zone: write one of its cities, such as Australia/Sydney',
  AEDT: 'is no time zone: write one of its cities, such as Australia/Sydney',
  NZST: 'is no time zone: write Pacific/Auckland',
  NZDT: 'is no time zone: write Pacific/Auckland',
};

/** Returns a name as the tz database spells it; null for what `Temporal` does not take. Libraries take more, and guess. */
function spelt(text: string): string | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return null;
  }
}

/**
 * Returns the name of a time zone as it is stored, or null if it is none: a place of the tz database, or UTC. Abbreviations and
 * offsets are none: they have no clock changes, and one is the time of several places.
 */
export function parseTimeZone(text: string): string | null {
  if (/^utc$/i.test(text)) return 'UTC';
  return AREA_NAME.test(text) ? spelt(text) : null;
}

/** Returns what is wrong with a time zone, and what to write instead; null: nothing. */
export function wrongTimeZone(text: string): string | null {
  if (parseTimeZone(text) !== null) return null;
  const name = text.trim().replace(/^Etc\//i, '');
  const known = ABBREVIATIONS[name.toUpperCase()];
  if (known !== undefined) return known;
  if (/^(GMT|UTC)\W?0?$/i.test(name)) return 'is an old name: write UTC, or Europe/London';
  const place = canonicalZone(name);
  return place === null
    ? 'must be a time zone such as Europe/London'
    : `is an old name: write ${place}`;
}

/** Returns the place that an old name of the tz database stands for, such as `NZ`; null if there is none. */
function canonicalZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name) || spelt(name) === null) return null;
  const { timeZone } = new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions();
  return AREA_NAME.test(timeZone) ? timeZone : null;
}
