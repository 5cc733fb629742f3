export { createFalClient } from '@fal-ai/client'
