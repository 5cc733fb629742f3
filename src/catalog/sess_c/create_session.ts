import { defineSession } from '#core/action.ts'
import {
  callHoursMax,
  howToUse,
  perVcpuHour,
  sessionInput,
  setEnvs,
} from '../lib/boxes/session-fields.ts'
import { vercelSessions } from './lib/vercel.ts'

/** Source: spec, "Compute". */
const lifetimeHours = 5

export const createSession = defineSession('create_session', {
  summary: 'Open a session for up to five hours, billed by the wall clock.',
  notes: `It closes by itself after five hours. For longer work use sess_e/create_session, for the default sess_a/create_session. ${howToUse}`,
  synonyms: [
    'build machine',
    'temporary machine',
    'CI runner',
    'test runner',
    'dev server',
    'US East machine',
  ],
  questions: [
    'where can I build and test a project for an hour?',
    'which session closes by itself?',
    'can I run a build for a few hours?',
  ],
  input: sessionInput('The runtime of the machine. Default: base.', setEnvs),
  price: { ...perVcpuHour, atMostCents: (perVcpuHour.atMostCents / callHoursMax) * lifetimeHours },
  example: { input: {}, cents: 5 },
  session: vercelSessions,
})
