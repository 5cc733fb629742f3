import { toCallError } from '#core/errors.ts'
import type { Observation, Telemetry } from '#core/telemetry/telemetry.ts'
import type { createMeter } from './meter.ts'

type OpenMeter = ReturnType<typeof createMeter>

/** The same meter, which tells telemetry of each call, from its opening to its close. */
export function observeMeter(meter: OpenMeter, telemetry: Telemetry | undefined): OpenMeter {
  if (telemetry === undefined) return meter
  const observed = new Map<string, Observation>()
  return {
    async open(call) {
      const observation = telemetry.begin({ kind: 'call', action: call.action })
      try {
        const opened = await observation.run(() => meter.open(call))
        const { callId, replay } = opened
        if (replay !== undefined) observation.end('replayed', callId)
        // A job is answered for once it is queued.
        else if (call.job !== undefined) observation.end('ok', callId)
        else observed.set(callId, observation)
        return opened
      } catch (refusal) {
        observation.end(toCallError(refusal).code)
        throw refusal
      }
    },
    async close(callId, end) {
      observed.get(callId)?.end(end.failed?.error ?? 'ok', callId)
      observed.delete(callId)
      await meter.close(callId, end)
    },
  }
}
