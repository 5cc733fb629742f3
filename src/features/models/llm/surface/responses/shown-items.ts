// Parts of items that a caller gets only if `include` asks for them.
import type { ChatFields } from '../../conversation/fields.ts'

export function showItem(item: ChatFields, include: ReadonlySet<string>): ChatFields {
  switch (item.type) {
    case 'reasoning':
      return include.has('reasoning.encrypted_content') ? item : without(item, 'encrypted_content')
    case 'web_search_call': {
      const shown = include.has('web_search_call.results') ? item : without(item, 'results')
      return include.has('web_search_call.action.sources')
        ? shown
        : { ...shown, action: without(shown.action, 'sources') }
    }
    case 'code_interpreter_call':
      return include.has('code_interpreter_call.outputs') ? item : { ...item, outputs: null }
    default:
      return item
  }
}

function without(fields: ChatFields, name: string): ChatFields {
  const { [name]: _left, ...rest } = fields
  return rest
}
