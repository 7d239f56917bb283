import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file: script and style within, nothing fetched. The program puts its data where the page says
// @@REPORTS@@.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    cssTarget: "chrome123",
    outDir: process.env.OUT_DIR ?? "dist",
    emptyOutDir: false,
    rolldownOptions: { input: "report.html" },
  },
});
