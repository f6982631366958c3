class Queens{
  static int[] p;

  public static void main(String[] args){
    if(args.length<1){
      usage();
    }
    boolean v=args[0].equals("-v");
    int n=0;
    try{
      n=Integer.parseInt(args[args.length-1]);
    }catch(NumberFormatException e){
      usage();
    }
    p=new int[n+1];
    System.out.println(n+"-Queens has "+find(1,v)+" solutions");
  }

  static void usage(){
    System.err.println("Usage: Queens [-v] number");
    System.err.println("Option: -v  verbose output, print all solutions");
    System.exit(1);
  }

  static int find(int i,boolean v){
    if(i==p.length){
      if(v) print();
      return 1;
    }
    int s=0;
    for(int j=1;j<p.length;j++){
      if(ok(i,j)){
        p[i]=j;
        s+=find(i+1,v);
      }
    }
    return s;
  }

  static boolean ok(int i,int j){
    for(int k=1;k<i;k++){
      if(p[k]==j || p[k]-k==j-i || p[k]+k==j+i) return false;
    }
    return true;
  }

  static void print(){
    System.out.print("(");
    for(int i=1;i<p.length;i++){
      if(i>1) System.out.print(", ");
      System.out.print(p[i]);
    }
    System.out.println(")");
  }
}
