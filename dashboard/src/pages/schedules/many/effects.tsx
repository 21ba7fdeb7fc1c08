import type { ScheduleChange } from '../../../api/schedule-changes.ts';
import { effectSentences, sumSentence } from './many-words.ts';

/** What a change of many schedules means, as sentences. */
export function Effects({ change }: { change: ScheduleChange }) {
  const sum = sumSentence(change);
  return (
    <>
      <ul>
        {effectSentences(change).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {sum === null ? null : <p>{sum}</p>}
    </>
  );
}
