// Bugs of mail: what was not sent is charged, what was sent is sent again, or strangers get in.
import type { Mutant } from './mutant.ts'

const relay = 'src/features/storage/mail/relay.ts'
const relayTests = ['src/features/storage/mail/relay.test.ts', 'test/scenarios/mail/relay.test.ts']
const smtpTests = ['test/scenarios/mail/smtp.test.ts']

export const mailMutants: readonly Mutant[] = [
  {
    name: 'a relay that goes silent after the mail is taken for one that refused it',
    file: relay,
    find: 'if (hasBegun && responseCode === undefined)',
    replace: 'if (false)',
    tests: relayTests,
  },
  {
    name: 'a relay that cannot be reached leaves the call in doubt',
    file: relay,
    find: 'if (hasBegun && responseCode === undefined)',
    replace: 'if (responseCode === undefined)',
    tests: relayTests,
  },
  {
    name: 'a mail that the relay defers is a fault of the caller',
    file: relay,
    find: 'responseCode >= 500',
    replace: 'responseCode >= 400',
    tests: relayTests,
  },
  {
    name: 'recipients that the relay refuses are passed over in silence',
    file: relay,
    find: 'return (sent?.rejectedErrors ?? []).map(describe)',
    replace: 'return []',
    tests: relayTests,
  },
  {
    name: 'a relay that answers without an end is waited for without an end',
    file: relay,
    find: 'const timer = setTimeout(() => broken.reject(isLate), timeoutMs)',
    replace: 'const timer = setTimeout(() => void isLate, timeoutMs)',
    tests: relayTests,
  },
  {
    name: 'mail for an inbox that does not exist is put off instead of refused',
    file: 'src/features/storage/mail/smtp-server.ts',
    find: `if (inbox === undefined) throw new Refusal(550, '5.1.1 There is no such inbox.')`,
    replace: '',
    tests: smtpTests,
  },
  {
    name: 'an inbox of another account is found',
    file: 'src/features/storage/mail/mail-rows.ts',
    find: 'from inbox where address = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)',
    replace: 'from inbox where address = $1 and ($2::uuid is not null or $3::uuid is null)',
    tests: ['src/features/storage/mail/mail-rows.test.ts'],
  },
  {
    name: 'single line ends of a text reach the relay',
    file: 'src/features/storage/mail/compose.ts',
    find: `text.replaceAll(/\\r\\n?|\\n/g, '\\r\\n')`,
    replace: 'text',
    tests: ['src/features/storage/mail/compose.test.ts'],
  },
  {
    name: 'a mail that its sender repeats is stored again',
    file: 'src/features/storage/mail/delivery.ts',
    find: '.update(digest).digest()',
    replace: '.update(digest).update(String(Math.random())).digest()',
    tests: ['test/scenarios/mail/inboxes.test.ts'],
  },
]
