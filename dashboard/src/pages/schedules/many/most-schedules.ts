/** The most schedules that one change may be about; a test compares it with the service's. */
export const MOST_SCHEDULES = 5000;
