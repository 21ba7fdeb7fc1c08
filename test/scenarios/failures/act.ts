import type { TestService } from '../../../server/test-support/service.ts';
import { grantedSchedule, type ScheduleBody } from '../acts.ts';

/** What a row of the guide says, done and looked at. */
export type Act = (service: TestService) => Promise<unknown>;
/** The rows of the guide's tables, by heading and first cell. */
export type Acts = Readonly<Record<string, Readonly<Record<string, Act>>>>;

/** A schedule of the 1st of each month: most failures are tried again. */
export const monthly = (service: TestService, login: string) => grantedSchedule(service, login);

/** Lets time pass until the next 1st of a month, a minute after what is due then. */
export async function toTheFirst(service: TestService): Promise<void> {
  const today = service.now().toZonedDateTimeISO('Europe/London');
  const first = today.with({ day: 1, hour: 9, minute: 0, second: 0, nanosecond: 0 });
  await service.advance(first.add({ months: 1, minutes: 1 }).toInstant().toString());
}

/** Keeps it out of what comes later. */
export const stop = (service: TestService, { id }: ScheduleBody) =>
  service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
