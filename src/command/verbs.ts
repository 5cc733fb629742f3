// The verbs of the package `tollway`: those of operators, and those of callers.
import { callerVerbs, defineVerb, type VerbGroup } from '@tollway/command'

/** `startGateway` resolves once the gateway listens. */
export function verbGroups({
  startGateway,
}: {
  readonly startGateway: () => Promise<unknown>
}): readonly VerbGroup[] {
  const start = defineVerb({
    name: 'start',
    summary: 'Start a gateway. `npx tollway` without a verb does the same.',
    async run() {
      await startGateway()
    },
  })
  return [
    { title: 'For operators', verbs: [start] },
    { title: 'For callers', verbs: callerVerbs },
  ]
}
