// Tools that the vendor names and the client runs. Claude knows them by their type; other models need to be told what
// they do. Source: the pages about each tool at https://docs.claude.com/en/docs/agents-and-tools/tool-use
import type { ChatFields } from '../../conversation/fields.ts'

interface ClientTool {
  readonly description: string
  readonly parameters: ChatFields
}

const text = (description: string) => ({ type: 'string', description })
const parameters = (properties: ChatFields, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const command = (...commands: readonly string[]) => ({ type: 'string', enum: commands })
const path = text('An absolute path of a file or folder.')
const range = {
  type: 'array',
  items: { type: 'integer' },
  description: 'The first and the last line to show, counted from 1. -1 is the last line.',
}
const replacement = {
  old_str: text('The text to replace. It must occur exactly once.'),
  new_str: text('The text to write instead.'),
}
const insertion = {
  insert_line: { type: 'integer', description: 'The line after which to insert; 0 is the start.' },
  insert_text: text('The text to insert.'),
}
const file_text = text('The whole text of the new file.')

const bash: ClientTool = {
  description: 'Runs a command in a bash session that keeps its state between calls.',
  parameters: parameters(
    {
      command: text('The command to run. Required unless restart is true.'),
      restart: { type: 'boolean', description: 'Starts a new session.' },
    },
    [],
  ),
}
const editor: ClientTool = {
  description: 'Views, creates and edits text files.',
  parameters: parameters(
    {
      command: command('view', 'create', 'str_replace', 'insert', 'undo_edit'),
      path,
      view_range: range,
      file_text,
      ...replacement,
      ...insertion,
    },
    ['command', 'path'],
  ),
}
const memory: ClientTool = {
  description:
    'Keeps notes between conversations as files below /memories. View them before you begin a task.',
  parameters: parameters(
    {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      path,
      view_range: range,
      file_text,
      ...replacement,
      ...insertion,
      old_path: text('The path to rename.'),
      new_path: text('Its new path.'),
    },
    ['command'],
  ),
}
const families: readonly (readonly [RegExp, ClientTool])[] = [
  [/^bash_\d{8}$/, bash],
  [/^text_editor_\d{8}$/, editor],
  [/^memory_\d{8}$/, memory],
]

/** What a tool of the vendor does; undefined if it is not one that every model can be offered. */
export function clientTool({ type }: ChatFields): ClientTool | undefined {
  return typeof type === 'string' ? families.find(([family]) => family.test(type))?.[1] : undefined
}
