/** Why a payment that waited was not made: the merchant's own word. */
export const STOPPED = {
  schedule_paused: 'The schedule was paused before the payment was made.',
  schedule_cancelled: 'The schedule was cancelled before the payment was made.',
} as const;
