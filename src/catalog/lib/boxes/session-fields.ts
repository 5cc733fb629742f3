// What the five session providers have in common.
import { z } from '#core/action.ts'

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
const variablesMax = 100

/** `templates`: what a caller may name. */
export const sessionInput = (templates: string, envs: string) =>
  z.strictObject({
    template: z.string().min(1).max(200).optional().describe(templates),
    envs: z
      .record(z.string().regex(variableName).max(200), z.string().max(32_000))
      .refine((record) => Object.keys(record).length <= variablesMax, {
        message: `Send at most ${variablesMax} variables`,
      })
      .optional()
      .describe(envs),
  })

export const setEnvs = 'Environment variables of every command: {"TZ": "UTC"}.'

/** How a session is used, for the notes of `create_session`. */
export const howToUse =
  'Run commands or code with POST /api/v1/sessions/{session_id}/run, and close it with DELETE /api/v1/sessions/{session_id}: the meter runs until then. Files stay between calls.'

/** The largest machine that is charged for. A vendor's larger one costs the same. */
export const machineMax = { vcpus: 8, gigabytes: 16 } as const
/** A call of a session is settled within an hour after its day. */
export const callHoursMax = 25
const vcpuHourCents = 5

export const perVcpuHour = {
  perHourCents: { vcpu: vcpuHourCents },
  reserveCents: 5,
  atMostCents: vcpuHourCents * machineMax.vcpus * callHoursMax,
  basis: '5¢ per vCPU-hour',
}
