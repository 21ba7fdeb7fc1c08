import type { Frequency, Policy } from './rhythm.ts';

/** What a merchant asks for, in the words of the API. */
export interface AskedTerms {
  amount?: { value: number };
  frequency?: Frequency;
  start_date?: string | null;
  end_date?: string | null;
  non_working_day?: Policy;
  amount_mode?: 'fixed' | 'per_occurrence';
  first_payment?: { amount: { value: number } } | null;
}

/** What a merchant asks for besides: that the schedule rests, goes on, or ends. */
export interface AskedChange extends AskedTerms {
  status?: 'active' | 'paused' | 'cancelled';
  resume_at?: string | null;
}

/** What the API shows of a schedule to whoever asked. */
export interface ScheduleSnapshot {
  id: string;
  status: string;
  amount: { value: number };
  frequency: { type: string; day?: number; interval: number };
  end_date: string | null;
  non_working_day: string;
  amount_mode: string;
  /** What an open link is for. */
  consent_for?: string;
}
