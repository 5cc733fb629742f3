export type { LLM } from '@llamaindex/core/llms'
export { tool } from '@llamaindex/core/tools'
export { OpenAI, OpenAIResponses } from '@llamaindex/openai'
