export { OpenAI, toFile } from 'openai'
