import { toCallError } from '../errors.ts'
import type { Telemetry, Work } from './telemetry.ts'

/** Does the work under observation. Its outcome is `ok` or the code of its error, unless `outcomeOf` says another. */
export async function observe<Result>(
  telemetry: Telemetry | undefined,
  work: Work,
  run: () => Promise<Result>,
  outcomeOf: (result: Result) => string = () => 'ok',
): Promise<Result> {
  if (telemetry === undefined) return await run()
  const observation = telemetry.begin(work)
  try {
    const result = await observation.run(run)
    observation.end(outcomeOf(result))
    return result
  } catch (thrown) {
    observation.end(toCallError(thrown).code)
    throw thrown
  }
}
