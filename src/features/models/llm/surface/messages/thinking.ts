// How much the model should think, and the form of its answer.
import {
  type ChatFields,
  invalid,
  readNumber,
  readWord,
  requireShallow,
} from '../../conversation/fields.ts'
import { readObject, requireKnown } from './known-fields.ts'

const budgetTokensMin = 1_024
const efforts = ['low', 'medium', 'high', 'xhigh', 'max']
const displays = ['summarized', 'omitted']

export interface ThinkingRead {
  readonly fields: ChatFields
  readonly native: ChatFields
}

export function readThinking(
  { thinking, output_config: output, output_format: olderFormat }: ChatFields,
  maxTokens: number,
): ThinkingRead {
  const reasoning = thinking == null ? {} : readConfig(readObject('thinking', thinking), maxTokens)
  const { effort, format } = output == null ? {} : readOutput(readObject('output_config', output))
  const asked = format ?? olderFormat
  const wanted = effort === undefined ? reasoning : { ...reasoning, effort }
  const config = {
    ...(effort === undefined ? {} : { effort }),
    ...(asked == null ? {} : { format: asked }),
  }
  return {
    fields: {
      ...(Object.keys(wanted).length === 0 ? {} : { reasoning: wanted }),
      ...(asked == null ? {} : { response_format: readFormat(asked) }),
    },
    native: {
      ...(thinking == null ? {} : { thinking }),
      ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    },
  }
}

function readConfig(config: ChatFields, maxTokens: number): ChatFields {
  requireKnown('thinking', config, ['type', 'budget_tokens', 'display'], {
    block_binding: 'Thinking blocks go back only to the model that made them.',
  })
  readWord('thinking.display', config.display, displays)
  const hidden = config.display === 'omitted' ? { exclude: true } : {}
  switch (config.type) {
    case 'enabled': {
      const name = 'thinking.budget_tokens'
      const budget = readNumber(name, config.budget_tokens, [budgetTokensMin, Infinity], true)
      if (budget === undefined || budget >= maxTokens)
        throw invalid(name, `${name} must be at least ${budgetTokensMin} and less than max_tokens.`)
      return { enabled: true, max_tokens: budget, ...hidden }
    }
    case 'adaptive':
      return { enabled: true, ...hidden }
    case 'disabled':
      return { enabled: false }
    default:
      throw invalid('thinking.type', 'thinking.type must be enabled, adaptive or disabled.')
  }
}

function readOutput(output: ChatFields) {
  requireKnown('output_config', output, ['effort', 'format'], {
    task_budget: 'Set max_tokens and max_cost_cents instead.',
  })
  return {
    effort: readWord('output_config.effort', output.effort, efforts),
    format: output.format,
  }
}

function readFormat(format: unknown): ChatFields {
  const given = readObject('output_config.format', format)
  requireKnown('output_config.format', given, ['type', 'schema'])
  if (given.type !== 'json_schema')
    throw invalid('output_config.format.type', 'output_config.format.type must be json_schema.')
  const schema = readObject('output_config.format.schema', given.schema)
  requireShallow('output_config.format.schema', schema)
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } }
}
