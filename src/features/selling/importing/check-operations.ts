// Whether the operations of an import can be sold as they are described.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Action } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import { asSentence } from '#core/input/sentence.ts'
import type { DescribedOperation, LeftOutPart } from '../described-operation.ts'
import { providerOf } from '../provider.ts'
import { ruleFor } from '../rules/price-rules.ts'
import { type SoldApi, storageProblem } from '../sold-api.ts'

/** What cannot be sold as it is described is left out now, and not found out by a caller. */
export async function checkOperations(sold: SoldApi): Promise<SoldApi> {
  const { provider } = providerOf(sold)
  const actions = new Map(provider.actions.map((action) => [action.name, action]))
  const leftOut: LeftOutPart[] = [...sold.api.leftOut]
  const operations: DescribedOperation[] = []
  for (const operation of sold.api.operations) {
    const action = actions.get(operation.name)
    const problem =
      storageProblem(operation) ?? (action && problemOf(action, counted(sold, operation)))
    if (problem === undefined) operations.push(operation)
    else leftOut.push({ where: operation.key, why: problem })
    // Schemas may be large, and other callers wait.
    await nextTurn()
  }
  return { ...sold, api: { ...sold.api, operations, leftOut } }
}

/** The field that its price counts. */
function counted({ rules }: SoldApi, operation: DescribedOperation): string | undefined {
  const { per } = ruleFor(rules, operation) ?? {}
  return per !== undefined && 'field' in per ? per.field : undefined
}

function problemOf(
  { input, output, check, example }: Action,
  field: string | undefined,
): string | undefined {
  try {
    const parsed = input.safeParse(example.input)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const fault = `${issue?.path.join('.')} ${issue?.message}`
      return asSentence(`Its example does not fit its own schema: ${fault}`)
    }
    check?.(parsed.data)
    output.safeParse({})
    return undefined
  } catch (thrown) {
    if (field !== undefined && thrown instanceof CallError)
      return `Its example has no ${field} that its price can count. Give ${field} an example, a default or a minimum in the description, within at_most of the price rule.`
    return `It cannot be checked: ${thrown instanceof Error ? thrown.message : thrown}`
  }
}
