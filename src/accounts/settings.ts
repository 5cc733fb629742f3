// The settings of sign-up.
import { wholeNumber } from '#core/settings.ts'

export const signUpSettings = {
  SIGNUP_CREDIT_CENTS: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('Credit for each new account that signs up, in cents.'),
  SIGNUPS_PER_HOUR: wholeNumber(0, 1_000_000)
    .default(5)
    .describe('Sign-ups per source address and hour. 0 closes sign-up.'),
} as const
