export { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
