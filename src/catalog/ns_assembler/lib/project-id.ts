import { z } from '#core/action.ts'

export const projectId = z
  .string()
  .min(1)
  .max(100)
  .describe('The id that ns_assembler/create_project answered.')

/** The project that a call asks about. */
export const ownedProject = ({ project_id: id }: { project_id: string }) => ({
  kind: 'project',
  id,
})

/** A render is recorded as `project/render`. */
export const withoutSlash = (id: z.ZodString) => id.regex(/^[^/]*$/)
