import { expect, test } from 'vitest'
import { readFingerprints, takeFingerprints } from './fingerprints.ts'

const recorded = new Map(readFingerprints().map(({ command, hash }) => [command, hash]))

test.each(takeFingerprints())(
  'the weights are the last ones of `$command`',
  ({ command, hash }) => {
    expect(recorded.get(command), `Its data or its program have changed: run \`${command}\`.`).toBe(
      hash,
    )
  },
)
