// Clients of this format name models as the vendor does: `claude-sonnet-4-6`, `claude-haiku-4-5-20251001`.
import { invalid } from '../../conversation/fields.ts'

const charactersMax = 200

/** The slug of a vendor's own name. Other names are returned as they are. */
export function readModelName(model: unknown): string {
  if (typeof model !== 'string' || model === '' || model.length > charactersMax)
    throw invalid('model', 'model must name a model or a tier. GET /api/llm/v1/models lists them.')
  if (!/^claude-[\w.-]+$/.test(model)) return model
  const plain = model.replace(/-\d{8}$/, '').replace(/-latest$/, '')
  return `anthropic/${plain.replace(/(\d)-(\d)/g, '$1.$2').replace(/\.0$/, '')}`
}
