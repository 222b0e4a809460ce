// For LangGraph: `Saver`, a checkpointer, and `Store`, a store.
export { Saver } from './langgraph/saver.js';
export { Store, type StoreOptions } from './langgraph/store.js';
