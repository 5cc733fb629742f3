// The guide of the command, made from what its verbs declare.
import {
  aboutOption,
  exitCodes,
  globalOptions,
  meanings,
  placeholder,
  usageLine,
  type Verb,
  writtenOption,
} from '@tollway/command'
import { verbGroups } from '../src/command/verbs.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

const introduction = `The package \`tollway\` is the gateway and its command. \`npx tollway\` starts a gateway, and \`npx tollway VERB\` runs a verb. The package \`@tollway/command\` has the verbs for callers only,
for machines without a gateway; its command is \`tollway-command\`, and \`npx @tollway/command VERB\` runs a verb. In a clone the command is \`npm run tollway -- VERB\`.

\`\`\`sh
npx tollway                                            # a gateway, in one terminal
npx tollway discover read a web page                   # in another one
npx tollway run tollway/onescrape --urls https://example.org --max-cost 5
\`\`\`

The command talks to the gateway of \`--gateway\`, of \`TOLLWAY_URL\`, or of the last \`tollway login\` or \`tollway gateways use\`; otherwise to \`http://127.0.0.1:4020\`. It sends the key that \`login\` has stored for this
gateway, or that of \`TOLLWAY_KEY\`, which belongs to the gateway of \`TOLLWAY_URL\`, or else to one of this machine: no other gateway receives it. For a gateway of this machine it finds the key that the first start left in \`data/starter-key\` of the current folder, or in the folder of the variable \`DATA_DIR\`.

Results go to standard output, everything about them to standard error. With \`--json\` standard output is one JSON document, also for errors: \`{"ok": false, "error": …, "message": …}\`. The command asks questions only
on a terminal. \`--pick\` prints the values at a path of that document. \`--jq\` runs a program of [jq](https://jqlang.org) over it, which needs no jq on the machine: most of the language, without modules and streams. If a program cannot be applied to
an answer, the whole answer is printed, and the command ends with 2.`

export function commandPage(note: string, table: Table): string {
  const startGateway = () => Promise.reject(new Error('The guide starts nothing.'))
  const groups = verbGroups({ startGateway, version: '' })
  const sections = groups.map(({ title, verbs }) =>
    [`## ${title}`, ...verbs.map((verb) => verbSection(verb, table))].join('\n\n'),
  )
  const codes = Object.entries(exitCodes).map(([kind, code]) => [
    String(code),
    meanings[kind as keyof typeof meanings],
  ])
  return [
    '# The command',
    note,
    introduction,
    '## Exit codes',
    `${table(['Code', 'Meaning'], codes)}\n\n\`session run\` ends with the exit code of its command.`,
    '## Options of every verb',
    optionsTable(globalOptions, table),
    ...sections,
    '',
  ].join('\n\n')
}

const optionsTable = (options: NonNullable<Verb['options']>, table: Table) =>
  table(
    ['Option', 'What it does'],
    Object.entries(options).map(([name, option]) => [
      `\`${writtenOption(name, option)}\``,
      aboutOption(option),
    ]),
  )

function verbSection(verb: Verb, table: Table): string {
  const operands = Object.entries(verb.operands ?? {}).map(
    ([name, { about }]) => `- \`${placeholder(name)}\`: ${about}`,
  )
  const examples = (verb.examples ?? []).map((example) => `tollway ${example}`)
  return [
    `### ${verb.name}`,
    verb.summary,
    ...(verb.details === undefined ? [] : [verb.details]),
    `\`${usageLine(verb)}\``,
    ...(operands.length === 0 ? [] : [operands.join('\n')]),
    ...(verb.options === undefined ? [] : [optionsTable(verb.options, table)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
  ].join('\n\n')
}
