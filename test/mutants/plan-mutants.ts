// Bugs of plans: a step is paid twice or not at all, or the steps together cost more than is held.
import type { Mutant } from './mutant.ts'

const steps = 'src/features/knowledge/plans/run-steps.ts'
const stepTests = ['src/features/knowledge/plans/run-steps.test.ts']
const work = 'src/runner/jobs/work.ts'
const workTests = ['src/runner/jobs/work.test.ts']

export const planMutants: readonly Mutant[] = [
  {
    name: 'a step starts although what is left of the hold does not cover it',
    file: steps,
    find: 'committed + micros <= held',
    replace: 'committed <= held',
    tests: stepTests,
  },
  {
    name: 'what a step did not use is freed, and what it used, too',
    file: steps,
    find: 'progress.free(quote.micros - charged)',
    replace: 'progress.free(quote.micros)',
    tests: stepTests,
  },
  {
    name: 'a step that has ended is run again by the next try',
    file: steps,
    find: 'if (!progress.isWaiting(id) || !hasBegun) continue',
    replace: 'continue',
    tests: stepTests,
  },
  {
    name: 'a cheaper step takes the money that an earlier one waits for',
    file: steps,
    find: 'if (!progress.fits(call.quote.micros)) return\n',
    replace: `if (!progress.fits(call.quote.micros)) { await progress.end(ready, { status: 'failed', error: aboveRest }); continue }\n`,
    tests: stepTests,
  },
  {
    name: 'a plan that is given up asks for its steps again',
    file: steps,
    find: 'hasStopped: () => stopped || stopReason !== undefined',
    replace: 'hasStopped: () => stopped',
    tests: stepTests,
  },
  {
    name: 'a plan that is taken up after its deadline asks for its steps',
    file: steps,
    find: 'if (remainingMs <= 0) late.abort(outOfTime())\n  else\n',
    replace: '',
    tests: stepTests,
  },
  {
    name: 'a step whose data is left out is free',
    file: 'src/features/knowledge/plans/answer.ts',
    find: 'const charges = ended.map(chargeOf)',
    replace:
      'const charges = ended.map((outcome) => (tooLong.has(outcome) ? 0 : chargeOf(outcome)))',
    tests: ['src/features/knowledge/plans/answer.test.ts'],
  },
  {
    name: 'a job that goes forward is given up',
    file: work,
    find: 'if (job.savedCount > savedBefore) return',
    replace: 'if (false) return',
    tests: workTests,
  },
  {
    name: 'a job that does not go forward is tried for ever',
    file: work,
    find: 'if (job.savedCount > savedBefore) return',
    replace: 'if (job.savedCount >= savedBefore) return',
    tests: workTests,
  },
]
