import type { Telemetry } from '#core/telemetry/telemetry.ts'

/** One telemetry that tells both. Undefined without any. */
export function tellAll(watching: readonly (Telemetry | undefined)[]): Telemetry | undefined {
  const [one, other] = watching.filter((each) => each !== undefined)
  if (one === undefined || other === undefined) return one
  return {
    begin(work) {
      const [inner, outer] = [one.begin(work), other.begin(work)]
      return {
        run: (part) => outer.run(() => inner.run(part)),
        end(...ended) {
          inner.end(...ended)
          outer.end(...ended)
        },
      }
    },
    countMoney(...counted) {
      one.countMoney(...counted)
      other.countMoney(...counted)
    },
  }
}
