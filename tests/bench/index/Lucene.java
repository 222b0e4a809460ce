// Lucene: `Lucene build FOLDER TEXTS` or `Lucene query FOLDER QUERIES BUDGET tenant|shared`. A tenant is
// a term that filters. Prints as fts5.py does; queries run twice before they are timed.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;

public final class Lucene {
    private static void build(Path folder, Path texts) throws IOException {
        long began = System.nanoTime();
        IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
        config.setRAMBufferSizeMB(256);
        try (IndexWriter writer = new IndexWriter(new MMapDirectory(folder), config);
                Stream<String> lines = Files.lines(texts)) {
            for (String line : (Iterable<String>) lines::iterator) {
                String[] fields = line.split("\t");
                Document document = new Document();
                document.add(new StoredField("id", Integer.parseInt(fields[0])));
                document.add(new StringField("tenant", fields[1], Field.Store.NO));
                document.add(new TextField("body", fields[2], Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        try (Stream<Path> files = Files.list(folder)) {
            System.out.println(seconds + " " + files.mapToLong(file -> file.toFile().length()).sum());
        }
    }

    private static Query query(String line, boolean ofTenant) {
        String[] fields = line.split("\t");
        BooleanQuery.Builder words = new BooleanQuery.Builder();
        for (String word : fields[1].split(" ")) {
            words.add(new TermQuery(new Term("body", word)), Occur.SHOULD);
        }
        if (!ofTenant) {
            return words.build();
        }
        return new BooleanQuery.Builder()
                .add(words.build(), Occur.MUST)
                .add(new TermQuery(new Term("tenant", fields[0])), Occur.FILTER)
                .build();
    }

    private static void queries(Path folder, Path queries, double budget, boolean ofTenant) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(new MMapDirectory(folder))) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setQueryCache(null);
            searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
            for (int pass = 0; pass < 3; pass++) {
                StringBuilder times = new StringBuilder();
                long started = System.nanoTime();
                for (String line : Files.readAllLines(queries)) {
                    long began = System.nanoTime();
                    for (ScoreDoc found : searcher.search(query(line, ofTenant), 10).scoreDocs) {
                        searcher.doc(found.doc).getField("id").numericValue();
                    }
                    long ended = System.nanoTime();
                    times.append((ended - began) / 1e6).append('\n');
                    if (ended - started > budget * 1e9) {
                        break;
                    }
                }
                if (pass == 2) {
                    System.out.print(times);
                }
            }
        }
    }

    public static void main(String[] argument) throws IOException {
        Path folder = Paths.get(argument[1]);
        Path input = Paths.get(argument[2]);
        if (argument[0].equals("build")) {
            build(folder, input);
        } else {
            queries(folder, input, Double.parseDouble(argument[3]), argument[4].equals("tenant"));
        }
    }
}
