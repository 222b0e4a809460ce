// nDCG@10 of Lucene's BM25 on labelled sets that `measure export` wrote: a second opinion on what
// words can reach with some k1 and b. Run by tests/quality/run where Lucene is.
//   java -cp JARS Lucene.java STOP_WORDS SET...     reads SET.docs and SET.queries
// Prints a line for each analyzer with each k1 and b: their names, and a value for each set.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

class Lucene {
    static final int CUTOFF = 10;

    // Standard words without these stop words, stemmed by Snowball's English.
    static Analyzer snowball(CharArraySet stopWords) {
        Analyzer words = new StandardAnalyzer(stopWords);
        return new AnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
            @Override
            protected Analyzer getWrappedAnalyzer(String field) {
                return words;
            }

            @Override
            protected TokenStreamComponents wrapComponents(String field, TokenStreamComponents made) {
                return new TokenStreamComponents(made.getSource(),
                        new SnowballFilter(made.getTokenStream(), "English"));
            }
        };
    }

    static String unescaped(String value) { // backslashes of COPY
        return value.replaceAll("\\\\[nrt]", " ").replace("\\\\", "\\");
    }

    static List<String[]> rows(String file) throws IOException {
        return Files.readAllLines(Path.of(file)).stream().map(line -> line.split("\t", 2)).toList();
    }

    static ByteBuffersDirectory index(String set, Analyzer analyzer, BM25Similarity similarity)
            throws IOException {
        var directory = new ByteBuffersDirectory();
        var configuration = new IndexWriterConfig(analyzer).setSimilarity(similarity);
        try (var writer = new IndexWriter(directory, configuration)) {
            for (String[] row : rows(set + ".docs")) {
                var document = new Document();
                document.add(new StringField("id", row[0], Field.Store.YES));
                document.add(new TextField("text", unescaped(row[1]), Field.Store.NO));
                writer.addDocument(document);
            }
        }
        return directory;
    }

    static BooleanQuery query(String text, Analyzer analyzer) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            var term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken())
                counts.merge(term.toString(), 1, Integer::sum);
            tokens.end();
        }
        var query = new BooleanQuery.Builder();
        counts.forEach((word, count) -> query.add(
                new BoostQuery(new TermQuery(new Term("text", word)), count),
                BooleanClause.Occur.SHOULD));
        return query.build();
    }

    static double ndcg(IndexSearcher searcher, ScoreDoc[] hits, Set<String> evidence)
            throws IOException {
        double gain = 0;
        double ideal = 0;
        for (int rank = 0; rank < hits.length; ++rank)
            if (evidence.contains(searcher.doc(hits[rank].doc).get("id")))
                gain += 1 / Math.log(rank + 2);
        for (int rank = 0; rank < Math.min(CUTOFF, evidence.size()); ++rank)
            ideal += 1 / Math.log(rank + 2);
        return gain / ideal;
    }

    static double evaluate(String set, Analyzer analyzer, BM25Similarity similarity)
            throws IOException {
        try (var reader = DirectoryReader.open(index(set, analyzer, similarity))) {
            var searcher = new IndexSearcher(reader);
            searcher.setSimilarity(similarity);
            List<String[]> queries = rows(set + ".queries");
            double sum = 0;
            for (String[] row : queries) {
                var hits = searcher.search(query(unescaped(row[0]), analyzer), CUTOFF).scoreDocs;
                sum += ndcg(searcher, hits, Set.of(row[1].replaceAll("[{}\"]", "").split(",")));
            }
            return sum / queries.size();
        }
    }

    static void print(String name, Analyzer analyzer, String[] arguments) throws IOException {
        for (float[] p : new float[][] {{0.9f, 0.4f}, {1.2f, 0.75f}}) {
            System.out.printf("%s, k1 = %s, b = %s", name, p[0], p[1]);
            for (int set = 1; set < arguments.length; ++set)
                System.out.printf("\t%.4f",
                        evaluate(arguments[set], analyzer, new BM25Similarity(p[0], p[1])));
            System.out.println();
        }
    }

    public static void main(String[] arguments) throws IOException {
        var stopWords = new CharArraySet(Files.readAllLines(Path.of(arguments[0])), true);
        String lucene = "Lucene " + org.apache.lucene.util.Version.LATEST + ", ";
        print(lucene + "EnglishAnalyzer", new EnglishAnalyzer(), arguments);
        print(lucene + "our stemmer and stop words", snowball(stopWords), arguments);
    }
}
