export { createAnthropic } from '@ai-sdk/anthropic'
export { Anthropic } from '@anthropic-ai/sdk'
export { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
