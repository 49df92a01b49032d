/** The public surface of the package. */

export type { AgentEvent, RetryReason, StartedAgent, TurnOutcome } from './agent/event.ts';
export type { PermissionMode } from './agent/permission.ts';
export type { PermissionAnswer, PermissionQuestion } from './agent/permissions/permissions.ts';
export { type CommandVerdict, checkCommand } from './agent/read-only-shell/check-command.ts';
export type { Tool, ToolInput, ToolResult, ToolRun } from './agent/tool.ts';
export type { AskUser, UserQuestion, UserReplies } from './agent/tools/ask-user.ts';
export type { MemoryScope, MemorySource, MemoryType } from './base/taxonomy.ts';
export type { Entry, Injection, StopReason } from './conversation/entry.ts';
export type { ContentBlock, Message, Usage } from './conversation/message.ts';
export { checkInside } from './disk/check-inside.ts';
export { checkMemoryRoot, type Verdict } from './disk/check-root.ts';
export { type MiddlewareOptions, type ReverieMiddleware, reverieMiddleware } from './embed/ai-sdk/middleware.ts';
export { createSession } from './embed/load.ts';
export type { MemoryToolCommand } from './embed/memory-tool/command.ts';
export { type MemoryTool, memoryTool } from './embed/memory-tool/tool.ts';
export type {
  HostMessage,
  HostRequest,
  HostResponse,
  HostUsage,
  Session,
  SessionOptions,
  SessionStats,
  Summarise,
  SummaryRequest,
} from './embed/session.ts';
export type { SessionState } from './embed/state.ts';
export { type ErrorCode, ReverieError } from './errors.ts';
export type {
  AgentDefinition,
  AgentReceipt,
  AgentResult,
  AgentState,
  AgentView,
  FoundDefinitions,
  GivenAgent,
  Spawned,
  SpawnWish,
} from './layers/7-agents/index.ts';
export type { ReceivedMessage } from './mailbox/inbox.ts';
export type { MessageKind } from './mailbox/kinds.ts';
export {
  type Mailbox,
  type MailboxOptions,
  type OutgoingMessage,
  openMailbox,
  type Receipt,
  type ReceiveOptions,
} from './mailbox/mailbox.ts';
export type { ReceiptState } from './mailbox/outcomes.ts';
export type { Quote } from './memory/files/quote.ts';
export {
  checkWrite,
  type ExistingMemory,
  type GateDecision,
  type GatedMemory,
  type GatePorts,
  type ProposedMemory,
  type SpanMessage,
  type WriteFacts,
} from './memory/gate/index.ts';
export type {
  ChangeOptions,
  FileDiff,
  FolderEntry,
  LogEntry,
  Memory,
  MemoryChanges,
  MemoryEntry,
  MemoryFiles,
  MemoryHeader,
  MemoryOrigin,
  NoticedEdit,
  PlannedChange,
  PlannedFile,
  Purged,
  Recalled,
  RecallOptions,
  Saved,
  SaveRequest,
} from './memory/memory.ts';
export { type Exported, exportMemories } from './memory/transfer/export-memories.ts';
export { type ImportRequest, type ImportResult, importMemories } from './memory/transfer/import-memories.ts';
export { type AiSdkLanguageModel, type AiSdkOptions, aiSdkModel } from './model/ai-sdk/ai-sdk.ts';
export { type AnthropicOptions, anthropicModel } from './model/anthropic/anthropic.ts';
export type { Model, ModelCapabilities, ModelEvent, ModelRequest, ModelResponse } from './model/model.ts';
export { type ScriptedModel, type ScriptStep, scriptedModel } from './model/scripted.ts';
export type { Embedder } from './search/local-index.ts';
export type { Agent, AgentOptions, BeginTurn } from './session/agent.ts';
export { openAgent } from './session/load-agent.ts';
export { type OpenMemoryOptions, openMemory } from './session/open-memory.ts';
export type { PlanAnswer, PlanQuestion, ReviewPlan } from './session/plan/exit-plan-tool.ts';
export type { PlanSteering } from './session/plan/join.ts';
export type { KeptPlan } from './session/plan/plan-file.ts';
export type { SteerableAgent } from './session/steering.ts';
export type { FlagAnswer, Flags } from './settings/flags.ts';
export type { SwitchName } from './settings/settings.ts';
