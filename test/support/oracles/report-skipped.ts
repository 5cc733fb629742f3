// Says which tests a run leaves out because the packages in oracles/ are not installed.
import type { Reporter } from 'vitest/node'
import { areOraclesInstalled, listFilesWithOracles } from './installed.ts'

export const reportSkipped: Reporter = {
  onInit() {
    if (areOraclesInstalled()) return
    const files = listFilesWithOracles().filter((file) => file.endsWith('.test.ts'))
    process.stdout.write(
      `The packages in oracles/ are not installed, so ${files.length} files of tests are skipped. ` +
        '`npm test` installs them, and so does `npm ci --prefix oracles`.\n',
    )
  },
}
