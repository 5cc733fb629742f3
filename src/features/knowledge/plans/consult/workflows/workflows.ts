// All workflows.
import { companyWorkflows } from './company-workflows.ts'
import { pageWorkflows } from './page-workflows.ts'
import type { Workflow } from './workflow.ts'

/** `own/` stands for the namespace of the gateway. */
export const workflowsFor = (ownNamespace: string): readonly Workflow[] =>
  [...companyWorkflows, ...pageWorkflows].map((workflow) => ({
    ...workflow,
    steps: workflow.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({
        ...call,
        action: call.action.replace(/^own\//, `${ownNamespace}/`),
      })),
    })),
  }))
