export { createOpenAICompatible } from '@ai-sdk/openai-compatible'
export { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
