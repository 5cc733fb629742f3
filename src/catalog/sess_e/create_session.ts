import { defineSession } from '#core/action.ts'
import { callHoursMax, howToUse, machineMax, sessionInput } from '../lib/boxes/session-fields.ts'
import { spriteSessions } from './lib/sprites.ts'

export const createSession = defineSession('create_session', {
  summary: 'Open a computer that never expires and costs nothing while it is idle.',
  notes: `Only work is charged, also that of programs in the background. It stays until you close it, and no time limit ends it. envs are accepted and not set: set variables in each command. For a machine that closes by itself use sess_a/create_session. ${howToUse}`,
  synonyms: [
    'persistent computer',
    'always there',
    'long lived machine',
    'free while idle',
    'personal server',
    'agent computer',
  ],
  questions: [
    'which machine keeps my files for weeks?',
    'is there a computer that costs nothing when idle?',
    'can I come back to the same machine next month?',
  ],
  input: sessionInput(
    'The image of the computer. Default: base.',
    'Accepted, and not set: set variables in each command.',
  ),
  price: {
    perHourCents: { cpu: 7, gigabyte: 4.375 },
    reserveCents: 5,
    atMostCents: (7 * machineMax.vcpus + 4.375 * machineMax.gigabytes) * callHoursMax,
    basis: '7¢ per CPU-hour and 4.375¢ per GB-hour of use, idle time free',
  },
  example: { input: {}, cents: 5 },
  session: spriteSessions,
})
