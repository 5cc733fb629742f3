export { AgentMailClient } from 'agentmail'
