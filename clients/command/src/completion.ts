// Scripts by which shells complete the words of the command. They are made from the definitions of the verbs.
import { optionsOf } from './parse.ts'
import { UsageError } from './usage-error.ts'
import { defineVerb, type Operand, type Verb } from './verb.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completionVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'completion',
    summary: 'Print the script by which a shell completes this command.',
    details:
      'For bash: `source <(tollway completion bash)` in `~/.bashrc`. For zsh: `source <(tollway completion zsh)` in `~/.zshrc`, after `compinit`. For fish: `tollway completion fish > ~/.config/fish/completions/tollway.fish`. The names of actions come from the gateway.',
    operands: { shell: { about: 'bash, zsh or fish.', completes: 'shell' } },
    examples: ['completion bash'],
    async run({ operands }, { output }) {
      const shell = shells.find((name) => name === operands.shell)
      if (shell === undefined)
        throw new UsageError(
          `There is a completion for ${shells.join(', ')}, and not for "${operands.shell}".`,
        )
      output.write(scripts[shell](verbs()))
    },
  })

const listActions = 'tollway actions --names 2>/dev/null'

const words = (verbs: readonly Verb[]) => verbs.map(({ name }) => name.split(' '))
const firstWords = (verbs: readonly Verb[]) => [
  ...new Set(words(verbs).map(([first = '']) => first)),
]
const secondWords = (verbs: readonly Verb[], word: string) =>
  words(verbs).flatMap(([first, second]) =>
    first === word && second !== undefined ? [second] : [],
  )
const flagsOf = (verb: Verb) => Object.keys(optionsOf(verb)).map((name) => `--${name}`)
const firstOperand = ({ operands = {} }: Verb): Operand | undefined => Object.values(operands)[0]
/** The second words of the verb, where it is one of several with the same first word. */
const startedBy = (verb: Verb, verbs: readonly Verb[]) =>
  verb.name.includes(' ') ? [] : secondWords(verbs, verb.name)

/** The commands by which bash and zsh fill the array of candidates. */
function bashCase(verb: Verb, verbs: readonly Verb[]): string {
  const [first = '', second = '*'] = verb.name.split(' ')
  const candidates = {
    action: `$(${listActions})`,
    shell: shells.join(' '),
    file: '',
  }[firstOperand(verb)?.completes ?? 'file']
  const own = [...startedBy(verb, verbs), candidates].filter(Boolean).join(' ')
  return `    '${first} '${second === '*' ? '*' : `'${second}'`}) flags='${flagsOf(verb).join(' ')}' own="${own}" ;;`
}

/** Verbs of two words first, because the first pattern that fits decides. */
const byLength = (verbs: readonly Verb[]) =>
  verbs.toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)

const bash = (verbs: readonly Verb[]) => `_tollway() {
  local word="\${COMP_WORDS[COMP_CWORD]}" flags='' own=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${firstWords(verbs).join(' ')}' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${byLength(verbs)
  .map((verb) => bashCase(verb, verbs))
  .join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$own" -- "$word")) ;;
  esac
}
complete -o default -F _tollway tollway
`

const zsh = (verbs: readonly Verb[]) => `#compdef tollway
autoload -Uz bashcompinit && bashcompinit
${bash(verbs)}`

const quoted = (text: string) => `'${text.replaceAll('`', '').replaceAll(/['\\]/g, '\\$&')}'`

function fishLines(verb: Verb, verbs: readonly Verb[]): string[] {
  const [first = '', second] = verb.name.split(' ')
  const others = secondWords(verbs, first)
  const seen = `__fish_seen_subcommand_from ${first}`
  const condition =
    second !== undefined
      ? `${seen}; and __fish_seen_subcommand_from ${second}`
      : others.length > 0
        ? `${seen}; and not __fish_seen_subcommand_from ${others.join(' ')}`
        : seen
  const line = (rest: string) => `complete -c tollway -n ${quoted(condition)} ${rest}`
  const operand = firstOperand(verb)?.completes
  return [
    second === undefined
      ? `complete -c tollway -n __fish_use_subcommand -f -a ${first} -d ${quoted(verb.summary)}`
      : `complete -c tollway -n ${quoted(`${seen}; and not __fish_seen_subcommand_from ${others.join(' ')}`)} -f -a ${second} -d ${quoted(verb.summary)}`,
    ...Object.entries(optionsOf(verb)).map(([name, { about, value }]) =>
      line(`-l ${name}${value === undefined ? '' : ' -r'} -d ${quoted(about)}`),
    ),
    ...(operand === 'action' ? [line(`-f -a '(${listActions})'`)] : []),
    ...(operand === 'shell' ? [line(`-f -a '${shells.join(' ')}'`)] : []),
  ]
}

const fish = (verbs: readonly Verb[]) =>
  `${verbs.flatMap((verb) => fishLines(verb, verbs)).join('\n')}\n`

const scripts = { bash, zsh, fish }
