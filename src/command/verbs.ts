// The verbs of the package `tollway`: those of operators, and those of callers. What a verb of operators does is loaded
// when it is run, so that the others start at once.
import { callerVerbs, defineVerb, UsageError, type Verb, type VerbGroup } from '@tollway/command'
import { sellVerbs } from './sell/verbs.ts'

/** All probes together. */
const centsMaxDefault = 300

interface Dependencies {
  /** Resolves once the gateway listens. */
  readonly startGateway: () => Promise<unknown>
  readonly version: string
}

export const verbGroups = (dependencies: Dependencies): readonly VerbGroup[] => [
  { title: 'For operators', verbs: operatorVerbs(dependencies) },
  { title: 'For callers', verbs: callerVerbs },
]

const operatorVerbs = ({ startGateway, version }: Dependencies): readonly Verb[] => [
  defineVerb({
    name: 'start',
    summary: 'Start a gateway. `npx tollway` without a verb does the same.',
    endsItself: true,
    async run() {
      await startGateway()
    },
  }),
  defineVerb({
    name: 'doctor',
    summary:
      'Check this machine and the settings of the gateway, and tell how to mend what is wrong.',
    details:
      'Checks Node, the settings, the data folder, the disk, the database, the address, Chromium, bubblewrap, other programs, the keys of providers, the ways to pay and the clock. It ends with 1 if the gateway would not start or work right.',
    async run(_, surroundings) {
      const { runDoctor } = await import('./doctor/doctor.ts')
      return await runDoctor(surroundings)
    },
  }),
  defineVerb({
    name: 'doctor providers',
    summary:
      'Ask each configured provider something cheap, and tell what has changed in its reply.',
    details:
      'It lists the cheapest harmless call of each provider that has its key or needs none, and what the call costs at most. With `--live` it makes these calls, compares each reply with the schema of the action and with what is expected of it, and keeps the reply without secrets and without the data of people. The gateway of this folder makes them if it runs, for the APIs that it sells too, and its console shows them. Otherwise this command does, and keeps the replies in `DATA_DIR/probes`. Nothing is bought. It ends with 1 if a provider did not answer, or not as its action needs it.',
    operands: { provider: { about: 'A namespace, such as ns_scholar.', kind: 'optional' } },
    options: {
      live: { about: 'Make the calls.' },
      'max-cents': { about: 'The most that all calls may cost. Default 300.', value: 'CENTS' },
    },
    examples: ['doctor providers', 'doctor providers ns_scholar --live'],
    async run({ operands, options }, surroundings) {
      const { runDoctorOfProviders } = await import('./doctor/live/live.ts')
      const maxCents = Number(options['max-cents'] ?? centsMaxDefault)
      if (!(maxCents >= 0)) throw new UsageError('--max-cents takes a number of cents.')
      const { live } = options
      return await runDoctorOfProviders({ ...operands, live, maxCents, version }, surroundings)
    },
  }),
  defineVerb({
    name: 'backup',
    summary:
      'Copy the embedded database and the data folder into one file, while the gateway runs.',
    details:
      'Run it in the folder of the gateway, as the user of the gateway: it reads `.env` and `DATA_DIR`. The file is a compressed tar file that its owner alone may read. With `DATABASE_URL`, use `pg_dump`.',
    operands: { file: { about: 'The new file.', completes: 'file' } },
    examples: ['backup /var/backups/tollway/2026-11-23.tar.gz'],
    endsItself: true,
    async run({ operands }, surroundings) {
      const { runBackup } = await import('./backup.ts')
      await runBackup(operands.file, surroundings, version)
    },
  }),
  defineVerb({
    name: 'restore',
    summary: 'Put a backup in the place of the data folder. The current content is kept beside it.',
    details:
      'Run it in the folder of the gateway, as the user that made the backup. It unpacks the backup while the gateway runs, then waits until you stop the gateway, and then changes places, which takes a moment. Start the gateway after it.',
    operands: { file: { about: 'The backup.', completes: 'file' } },
    options: { check: { about: 'Read the whole backup, and change nothing.' } },
    endsItself: true,
    examples: [
      'restore /var/backups/tollway/2026-11-23.tar.gz',
      'restore 2026-11-23.tar.gz --check',
    ],
    async run({ operands, options }, surroundings) {
      const { runRestore } = await import('./restore.ts')
      await runRestore(operands.file, { onlyCheck: options.check }, surroundings)
    },
  }),
  ...sellVerbs,
]
